import { LockOuts } from '../../core/identity/lock-outs.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { rulesFor } from '../../core/identity/throttle-state.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import type { OpenedBefore, OpenedCapability, OpeningParts } from '../capability.ts';
import '../people/rules/passwords-elsewhere.ts';
import type { LinkSecret } from './links.ts';
import type { PasswordLink } from './tables/password-links.ts';
import { MAIL_RECEIVER } from './tables/receiver.ts';

/** What operations and pages do with links, in every process of a service. `resetsAt`: the provider where a link sets passwords. */
export function linkTools({ settings, store, clock }: OpeningParts, resetsAt: string | undefined) {
  const throttleKey = throttleKeyFor(settings, 'service');
  const lockOuts = new LockOuts(throttleKey, rulesFor(settings), settings.namesCaseSensitive);
  return {
    resetsAt,
    /** The link with this secret and its user; undefined if it does not work. Outside of a transaction, as the next two are. */
    async ownerOf(secret: LinkSecret) {
      const { liveLink } = await import('./links.ts');
      return store.read((unit) => liveLink(unit, secret, clock(), resetsAt));
    },
    /** As `ownerOf`, and uses the link up: of several requests one gets it. */
    async take(secret: LinkSecret) {
      const { liveLink } = await import('./links.ts');
      return store.write(async (unit) => {
        const live = await liveLink(unit, secret, clock(), resetsAt);
        const isFirst = live !== undefined && (await unit.passwordLinks.removeOf(live.user.id)) > 0;
        return isFirst ? live : undefined;
      });
    },
    /** Has a link work again whose password was refused. */
    putBack: (link: PasswordLink) => store.write((unit) => unit.passwordLinks.putBack(link)),
    forgetFailures: (unit: WriteUnit, key: string) => lockOuts.forget(unit, key),
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
