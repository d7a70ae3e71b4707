import type { AnyOperation } from '../operation.ts';
import loginGet from './login.get.ts';
import loginPost from './login.post.ts';
import loginticketDelete from './loginticket.delete.ts';
import loginticketGet from './loginticket.get.ts';
import actiondefGet from './rule/actiondef.get.ts';
import actiondefsGet from './rule/actiondefs.get.ts';
import serverGet from './server.get.ts';

/** Every operation, in the order of the specification. A law holds this list against the folder. */
export const operations: readonly AnyOperation[] = [
  loginGet,
  loginPost,
  loginticketDelete,
  loginticketGet,
  actiondefsGet,
  actiondefGet,
  serverGet,
];
