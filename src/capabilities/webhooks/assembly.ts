import type { MetricFigure } from '../../core/telemetry/registry.ts';
import type { ConsoleSection } from '../../faces/pages/layout.ts';
import type { OpenedBefore, OpenedCapability, OpeningParts } from '../capability.ts';
import type { ReceiverCounts } from './delivery.ts';

/** The figures of each receiver. */
function figuresOf(counts: () => readonly ReceiverCounts[]): readonly MetricFigure[] {
  const gauge = (name: string, help: string, value: (counts: ReceiverCounts) => number): MetricFigure => ({
    type: 'gauge',
    name,
    help,
    labels: ['receiver'],
    read: () => counts().map((each) => [value(each), { receiver: each.id }] as const),
  });
  return [
    {
      type: 'counter',
      name: 'tessera_webhook_attempts_total',
      help: 'Attempts to deliver an event to a receiver of webhooks, by outcome.',
      labels: ['receiver', 'outcome'],
      read: () =>
        counts().flatMap(({ id: receiver, delivered, failed }) => [
          [delivered, { receiver, outcome: 'delivered' }] as const,
          [failed, { receiver, outcome: 'failed' }] as const,
        ]),
    },
    gauge('tessera_webhook_waiting', 'Deliveries that wait, of all instances.', ({ waiting }) => waiting),
    gauge('tessera_webhook_oldest_seconds', 'Age of the oldest event that waits.', ({ oldest }) => oldest),
    gauge('tessera_webhook_dead', 'Deliveries that were given up, of all instances.', ({ dead }) => dead),
  ];
}

/**
 * The delivery of events to receivers of webhooks and to parts of the service. Its code is loaded only if there are any, in the one process that delivers.
 * Their receivers become those of the store. A fault of the document is thrown (`DocumentsFaulty`).
 */
export async function openWebhooks(
  parts: OpeningParts,
  { eventReceivers }: OpenedBefore,
): Promise<OpenedCapability> {
  const { settings, sweeps, store } = parts;
  const hasNone = settings.webhooks === '' && eventReceivers.length === 0;
  if (sweeps && hasNone) await removeReceivers(parts);
  const consoleSections: readonly ConsoleSection[] =
    settings.webhooks === ''
      ? []
      : [{ to: '/portal/console/webhooks', text: 'console.webhooks', role: 'operator' }];
  if (!sweeps || hasNone) return { consoleSections, figures: figuresOf(() => []) };
  const { WebhookDelivery } = await import('./delivery.ts');
  const databaseId = await store.read(({ users }) => users.databaseId());
  const delivery = new WebhookDelivery(settings.webhooks, eventReceivers, { ...parts, databaseId });
  await delivery.register();
  return {
    consoleSections,
    figures: figuresOf(() => delivery.counts()),
    reload: () => delivery.reload(),
    start: () => delivery.start(),
    stop() {
      delivery.close();
      return delivery.stop();
    },
  };
}

/** Removes receivers that an earlier start registered: events would be kept for them, and not be delivered. */
async function removeReceivers({ store, log }: OpeningParts): Promise<void> {
  const there = await store.read(({ webhooks }) => webhooks.list());
  for (const { id, waiting } of there)
    log.warn({ receiver: id, waiting }, 'receiver of webhooks removed: TESSERA_WEBHOOKS is not set');
  if (there.length > 0) await store.write(({ webhooks }) => webhooks.setReceivers([]));
}
