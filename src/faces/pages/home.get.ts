import { PORTAL } from '../../core/api.ts';
import type { AnyOperation } from '../../core/operation.ts';
import { page, seeOther } from './page.ts';
import { HOME } from './return-address.ts';

/** Leads to the account of the user who is signed in. */
const home = page({
  id: 'org/service/repository/portal/home.get',
  summary: 'Go to the account.',
  method: 'GET',
  paths: ['/'],
  authentication: 'none',
  input: {},
  perform: () => seeOther('/portal/account'),
});

export default home;

/** The root of the service leads browsers to the portal. */
export const root: AnyOperation = {
  ...home,
  id: 'org/service/repository/portal/root.get',
  api: { ...PORTAL, basePaths: ['/'] },
  perform: () => seeOther(HOME),
};
