import type { Capability, PageSections } from '../capabilities/capability.ts';
import type { AnyOperation } from '../core/operation.ts';
import type { ShowRefused } from '../core/representations/representation.ts';
import { assetOperations } from '../faces/pages/asset-operations.ts';
import home, { root } from '../faces/pages/home.get.ts';
import loginGet from '../faces/pages/login.get.ts';
import loginPost from '../faces/pages/login.post.ts';
import logoutPost from '../faces/pages/logout.post.ts';
import { refusalPage } from '../faces/pages/refusal-page.ts';

/** The pages for people (specification, sections 17 to 19). */
export interface Portal {
  /** Every page. They are served beside the operations, and described nowhere: programs have no use for them. */
  readonly pages: readonly AnyOperation[];
  /** Shows a refusal, if the page that was asked for does not show its own. */
  readonly refusalPage: ShowRefused;
}

/** What these capabilities show on pages of others. */
async function sectionsOf(capabilities: readonly Capability[]): Promise<PageSections> {
  const loaded = <T>(loads: readonly ((() => Promise<T>) | undefined)[]) =>
    Promise.all(loads.filter((load) => load !== undefined).map((load) => load()));
  return {
    accountSections: await loaded(capabilities.map(({ accountSections }) => accountSections)),
    otherCredentials: await loaded(capabilities.map(({ otherCredentials }) => otherCredentials)),
    userSections: await loaded(capabilities.map(({ userSections }) => userSections)),
  };
}

/** The pages as they are served: those of the sign-in, and those of the capabilities. */
export async function portalWith(capabilities: readonly Capability[]): Promise<Portal> {
  const sections = await sectionsOf(capabilities);
  const further = await Promise.all(capabilities.map(({ pages }) => pages?.(sections) ?? []));
  return {
    pages: [root, home, loginGet, loginPost, logoutPost, ...assetOperations, ...further.flat()],
    refusalPage,
  };
}
