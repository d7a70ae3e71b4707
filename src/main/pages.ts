import type { Capability, PageSections } from '../capabilities/capability.ts';
import type { AnyOperation } from '../core/operation.ts';
import { assetOperations } from '../faces/pages/asset-operations.ts';
import home, { root } from '../faces/pages/home.get.ts';
import loginGet from '../faces/pages/login.get.ts';
import loginPost from '../faces/pages/login.post.ts';
import logoutPost from '../faces/pages/logout.post.ts';
import look from '../faces/pages/look.post.ts';
import { refusalPage } from '../faces/pages/refusal-page.ts';

export { refusalPage };

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

/**
 * The pages for people (specification, sections 17 to 19): those of the sign-in, and those of the capabilities. They are served
 * beside the operations, and described nowhere: programs have no use for them.
 */
export async function pagesWith(capabilities: readonly Capability[]): Promise<readonly AnyOperation[]> {
  const sections = await sectionsOf(capabilities);
  const further = await Promise.all(capabilities.map(({ pages }) => pages?.(sections) ?? []));
  return [root, home, loginGet, loginPost, logoutPost, look, ...assetOperations, ...further.flat()];
}
