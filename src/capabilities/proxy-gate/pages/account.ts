import { groupKey } from '../../../core/domain/group.ts';
import { parseHop } from '../../../core/http/client-address.ts';
import type { AccountSections } from '../../../faces/pages/account-sections.ts';
import { groupNamesOf } from '../operations/gate.get.ts';
import type { ProtectedService } from '../rules/protected-services.ts';
import type { RuleCaller } from '../rules/rules.ts';

declare module '../../../core/browser-context.ts' {
  interface BrowserTools {
    /** The services behind the gate that a user of this name and groups may open. Absent without rules. */
    readonly gateServices?: (
      user: { readonly name: string } & Pick<RuleCaller, 'groupKeys'>,
      client: ReturnType<typeof parseHop>,
    ) => readonly ProtectedService[];
  }
}

/** The services that the user may open, if the gate has rules. They have the scheme of the portal, since they are behind the same proxies. */
export const accountSections: AccountSections = {
  async read({ browser: { gateServices, origin, requestOrigin }, caller: { user }, store }) {
    const groups = gateServices === undefined ? [] : await groupNamesOf(store, user);
    const client = parseHop(requestOrigin.from.replace('/64', ''));
    const services = gateServices?.({ name: user.name, groupKeys: groups.map(groupKey) }, client);
    const { protocol } = new URL(origin);
    return {
      services: services?.map(({ title, logo, host, path }) => ({
        title,
        logo,
        address: `${protocol}//${host}${path}`,
      })),
      sections: () => [],
      signingIn: () => [],
      staying: () => undefined,
    };
  },
};
