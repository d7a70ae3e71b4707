import type { AnyOperation } from '../../core/operation.ts';
import { CHOOSE_PASSWORD_PAGES } from './pages/choose-password.ts';
import { INVITATIONS } from './pages/console/invite.ts';
import { MAIL_PAGES } from './pages/console/outbox.ts';
import { FORGOTTEN_PASSWORD } from './pages/forgotten-password.ts';

export const PAGES: readonly AnyOperation[] = [
  ...FORGOTTEN_PASSWORD,
  ...CHOOSE_PASSWORD_PAGES,
  ...INVITATIONS,
  ...MAIL_PAGES,
];
