import { createHmac, randomUUID } from 'node:crypto';
import { presentIdOf } from '../../core/domain/server-identity.ts';
import type { DeliveredEvent } from './tables/webhooks.ts';

/** A message of a webhook. It keeps its id and its body in each attempt. */
export interface WebhookMessage {
  readonly id: string;
  /** JSON: `type`, `timestamp` and `data`. */
  readonly body: string;
}

function message(id: string, type: string, at: number, data: object): WebhookMessage {
  return { id, body: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) };
}

/**
 * The message of an event. Its id holds the id of the database, so that no two databases give the same one. It has no
 * digest of a ticket.
 */
export function eventMessage(event: DeliveredEvent, databaseId: string): WebhookMessage {
  const { id, at, kind, user, actor, from, program, reason, count } = event;
  const data = { id, at: new Date(at).toISOString(), kind, user, actor, from, program, reason, count };
  return message(`evt_${presentIdOf(databaseId)}_${id}`, `event.${kind.replaceAll('-', '_')}`, at, data);
}

/** A message that tells of no event. */
export function testMessage(now: number): WebhookMessage {
  return message(`test_${randomUUID()}`, 'webhook.test', now, { from: 'tessera webhooks test' });
}

/**
 * The headers that prove where the message comes from (Standard Webhooks 1.0.0): one HMAC-SHA256 for each secret. `now` is the time
 * of the attempt, in epoch milliseconds.
 */
export function signedHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1_000);
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
