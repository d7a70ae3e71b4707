import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { shortDigest } from '../../../../../core/domain/ticket.ts';
import { adminOperation, changed } from '../../../../../core/operation.ts';
import { nothingShown } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';

/** Specification, section 16: end one ticket of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/ticket.delete',
  summary: 'End one ticket of a user.',
  method: 'DELETE',
  paths: ['/api/admin/users/{userName}/tickets/{digest}'],
  role: 'operator',
  input: {
    path: Type.Object({
      userName: userGet.input.path.properties.userName,
      digest: Type.String({
        description: 'The first 8 digits of the digest of the ticket.',
        examples: ['c0ffee00'],
      }),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['user_not_found', 'ticket_not_found'],
  async perform({ input: { path }, store, keyOf }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const all = await store.tickets.listOf(user.id);
    const named = all.filter(({ digest }) => shortDigest(digest) === path.digest);
    for (const { digest } of named) await store.tickets.end(digest);
    if (named.length === 0) return refuse('ticket_not_found');
    return changed(
      undefined,
      named.map(({ digest }) => ({ kind: 'ticket-revoked', user: user.name, digest: shortDigest(digest) })),
    );
  },
});
