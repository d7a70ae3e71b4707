import { suffices } from '../../../core/domain/role.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { userAddress } from './addresses.ts';

/** The name of a user, which leads to the user's page if the reader's role opens it. */
export const userLink = ({ user }: Reader, name: string): Html =>
  suffices(user?.role, 'operator') ? html`<a href="${userAddress(name)}">${name}</a>` : html`${name}`;
