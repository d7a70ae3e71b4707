import type { AnyOperation } from '../../core/operation.ts';
import { CONSOLE_PAGES } from './pages/console.ts';
import signInWithPost from './pages/sign-in-with.post.ts';
import signedInGet from './pages/signed-in.get.ts';
import signedOutGet from './pages/signed-out.get.ts';

export const PAGES: readonly AnyOperation[] = [signInWithPost, signedInGet, signedOutGet, ...CONSOLE_PAGES];
