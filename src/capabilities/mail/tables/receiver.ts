import type { ReadUnit } from '../../../core/storage/store.ts';
import type { WebhookState } from '../../webhooks/tables/webhooks.ts';

/** The name of mail among the receivers of events. No document of webhooks can name it. */
export const MAIL_RECEIVER = 'outgoing_mail';

/** What waits for mail, and what was given up; undefined if no mail is sent. */
export async function mailState({ webhooks }: Pick<ReadUnit, 'webhooks'>): Promise<WebhookState | undefined> {
  return (await webhooks.list()).find(({ id }) => id === MAIL_RECEIVER);
}
