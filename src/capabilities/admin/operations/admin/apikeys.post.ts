import { faultOfApiKeyName } from '../../../../core/domain/api-key.ts';
import { refuse } from '../../../../core/domain/refusal.ts';
import { isKeyRole, KEY_ROLES } from '../../../../core/domain/role.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { newApiKeyShown } from '../../representations/api-key.ts';

const invalid = (detail: string) => refuse('body_invalid', { detail });

/** Specification, section 16: make an API key. */
export default adminOperation({
  id: 'org/service/repository/admin/apikeys.post',
  summary: 'Make an API key. Its text is in this answer, and in no other.',
  method: 'POST',
  paths: ['/api/admin/api-keys'],
  role: 'administrator',
  input: {
    body: Type.Object(
      {
        name: Type.String({
          description: 'Its name, of letters, digits, ".", "-", "_".',
          examples: ['deploy'],
        }),
        role: Type.String({
          pattern: `^(${KEY_ROLES.join('|')})$`,
          refusal: 'body_invalid',
          description: `one of ${KEY_ROLES.join(', ')}`,
          examples: ['auditor'],
        }),
        expiresAt: Type.Optional(
          Type.String({
            format: 'date-time',
            refusal: 'body_invalid',
            description:
              'a date and time such as 2030-01-31T12:00:00Z, from when on it is refused; left out: it never is',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: newApiKeyShown,
  refusals: ['body_unreadable', 'body_invalid', 'api_key_taken'],
  async perform({ input: { body }, store, now, newApiKey }) {
    const { name, role } = body;
    const fault = faultOfApiKeyName(name);
    if (fault !== undefined) return invalid(fault);
    if (!isKeyRole(role)) return invalid(`role is one of ${KEY_ROLES.join(', ')}`);
    const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt);
    if (expiresAt !== undefined && !(expiresAt > now)) return invalid('expiresAt is over: name a later time');
    const { key, digest } = newApiKey();
    const added = { name, digest, role, addedAt: now, expiresAt, usedAt: undefined };
    if (!(await store.apiKeys.add(added))) return refuse('api_key_taken');
    const reason = `${name}: ${role}`;
    return changed({ ...added, key }, [{ kind: 'api-key-added', reason }]);
  },
});
