import { faultOfClientName } from '../../../../core/domain/client.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { newClientShown } from '../../representations/client.ts';

/** Specification, section 16: register a client. */
export default adminOperation({
  id: 'org/service/repository/admin/clients.post',
  summary: 'Register a client. Its secret is in this answer, and in no other.',
  method: 'POST',
  paths: ['/api/admin/clients'],
  role: 'administrator',
  input: {
    body: Type.Object(
      {
        name: Type.String({
          description: 'Its client_id, of letters, digits, ".", "-", "_".',
          examples: ['api-gateway'],
        }),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: newClientShown,
  refusals: ['body_unreadable', 'body_invalid', 'client_taken'],
  async perform({ input: { body }, store, now, newClientSecret }) {
    const { name } = body;
    const fault = faultOfClientName(name);
    if (fault !== undefined) return refuse('body_invalid', { detail: fault });
    const { secret, digest } = newClientSecret();
    const added = { name, secretDigest: digest, addedAt: now };
    if (!(await store.clients.add(added))) return refuse('client_taken');
    return changed({ ...added, secret }, [{ kind: 'client-added', reason: name }]);
  },
});
