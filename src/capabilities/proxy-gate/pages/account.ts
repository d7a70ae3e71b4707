import { groupKey } from '../../../core/domain/group.ts';
import { parseHop } from '../../../core/http/client-address.ts';
import type { AccountSections } from '../../../faces/pages/account-sections.ts';
import { html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { table } from '../../../faces/pages/parts/list.ts';
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

/** `scheme` is that of the portal, with its colon: services behind the same proxies have it too. */
function sectionOf({ say }: Reader, services: readonly ProtectedService[], scheme: string) {
  return html`<section id="services"><h2>${say('services.title')}</h2>
${table<ProtectedService>({
  caption: say('services.title'),
  columns: [
    {
      heading: say('services.name'),
      cell: ({ title, host, path }) => html`<a href="${`${scheme}//${host}${path}`}">${title}</a>`,
    },
    { heading: say('services.host'), cell: ({ host }) => host },
  ],
  rows: services,
  whenEmpty: say('services.empty'),
})}</section>`;
}

/** The services that the user may open, if the gate has rules. */
export const accountSections: AccountSections = {
  async read({ browser: { gateServices, origin, requestOrigin }, caller: { user }, store }) {
    const groups = gateServices === undefined ? [] : await groupNamesOf(store, user);
    const client = parseHop(requestOrigin.from.replace('/64', ''));
    const services = gateServices?.({ name: user.name, groupKeys: groups.map(groupKey) }, client);
    const { protocol } = new URL(origin);
    return {
      sections: (reader) =>
        services === undefined ? [] : [{ order: 20, html: sectionOf(reader, services, protocol) }],
      signingIn: () => [],
      staying: () => undefined,
    };
  },
};
