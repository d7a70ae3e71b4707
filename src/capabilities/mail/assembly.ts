import { LockOuts } from '../../core/identity/lock-outs.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { rulesFor } from '../../core/identity/throttle-state.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';
import { MAIL_RECEIVER } from './tables/receiver.ts';
import type { PasswordLinkTools } from './tools.ts';

/** What operations and pages do with links, in every process. */
function linkTools({ settings, store, clock }: OpeningParts): PasswordLinkTools {
  const lockOuts = new LockOuts(
    throttleKeyFor(settings, 'service'),
    rulesFor(settings),
    settings.namesCaseSensitive,
  );
  return {
    async ownerOf(secret) {
      const { liveLink } = await import('./links.ts');
      return (await store.read((unit) => liveLink(unit, secret, clock())))?.user.name;
    },
    forgetFailures: (unit, key) => lockOuts.forget(unit, key),
  };
}

/** Sends mail about events. The code is loaded only if a mail server is set, and the kinds of events with it. */
export async function openMail(parts: OpeningParts): Promise<OpenedCapability> {
  const isSet = parts.settings.smtpUrl !== '';
  const tools = {
    operationTools: { passwordLinks: linkTools(parts) },
    browserTools: { mailsLinks: isSet },
  };
  if (!isSet) return tools;
  const [{ MailDelivery }, { MAILED_KINDS }] = await Promise.all([
    import('./delivery.ts'),
    import('./letters.ts'),
  ]);
  const delivery = new MailDelivery(parts);
  return {
    ...tools,
    eventReceiver: {
      id: MAIL_RECEIVER,
      kinds: MAILED_KINDS,
      receive: (event, stopped) => delivery.send(event, stopped),
    },
    stop: async () => delivery.stop(),
  };
}
