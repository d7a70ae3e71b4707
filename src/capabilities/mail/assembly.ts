import { LockOuts } from '../../core/identity/lock-outs.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { rulesFor } from '../../core/identity/throttle-state.ts';
import type { OpenedBefore, OpenedCapability, OpeningParts } from '../capability.ts';
import '../people/rules/passwords-elsewhere.ts';
import { MAIL_RECEIVER } from './tables/receiver.ts';
import type { PasswordLinkTools } from './tools.ts';

/** What operations and pages do with links, in every process. */
function linkTools(
  { settings, store, clock }: OpeningParts,
  resetsAt: string | undefined,
): PasswordLinkTools {
  const lockOuts = new LockOuts(
    throttleKeyFor(settings, 'service'),
    rulesFor(settings),
    settings.namesCaseSensitive,
  );
  return {
    resetsAt,
    async ownerOf(secret) {
      const { liveLink } = await import('./links.ts');
      return store.read((unit) => liveLink(unit, secret, clock(), resetsAt));
    },
    async take(secret) {
      const { liveLink } = await import('./links.ts');
      return store.write(async (unit) => {
        const live = await liveLink(unit, secret, clock(), resetsAt);
        const isFirst = live !== undefined && (await unit.passwordLinks.removeOf(live.user.id)) > 0;
        return isFirst ? live : undefined;
      });
    },
    putBack: (link) => store.write((unit) => unit.passwordLinks.putBack(link)),
    forgetFailures: (unit, key) => lockOuts.forget(unit, key),
  };
}

/** Sends mail about events. The code is loaded only if a mail server is set, and the kinds of events with it. */
export async function openMail(parts: OpeningParts, before: OpenedBefore): Promise<OpenedCapability> {
  const { passwordsElsewhere } = before.operationTools;
  const resetsAt = passwordsElsewhere?.resets ? passwordsElsewhere.provider : undefined;
  const isSet = parts.settings.smtpUrl !== '';
  const tools = {
    operationTools: { passwordLinks: linkTools(parts, resetsAt) },
    browserTools: { mailsLinks: false },
  };
  if (!isSet) return tools;
  const [{ MailDelivery }, { MAILED_KINDS }, { newBrowser }] = await Promise.all([
    import('./delivery.ts'),
    import('./letters.ts'),
    import('./known-places.ts'),
  ]);
  const delivery = new MailDelivery({ ...parts, resetsAt });
  return {
    ...tools,
    browserTools: { mailsLinks: true, unfamiliarSignIn: newBrowser },
    consoleSections: [{ to: '/portal/console/mail', text: 'console.mail', role: 'operator' }],
    eventReceiver: {
      id: MAIL_RECEIVER,
      kinds: MAILED_KINDS,
      receive: (event, stopped) => delivery.send(event, stopped),
    },
    stop: async () => delivery.stop(),
  };
}
