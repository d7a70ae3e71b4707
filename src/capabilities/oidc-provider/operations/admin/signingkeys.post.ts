import { adminOperation, changed } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { keyName, signingKeysShown } from '../../representations/signing-keys.ts';
import { tokenKeys } from '../../signing-keys.ts';

/** Specification, section 16: have new keys sign tokens. */
export default adminOperation({
  id: 'org/service/repository/admin/signingkeys.post',
  summary:
    'Retire the keys that sign tokens: the next request of an application makes new ones. Those before stay published until all that they signed is over, or are removed at once.',
  method: 'POST',
  paths: ['/api/admin/signing-keys'],
  role: 'administrator',
  input: {
    body: Type.Object({
      drop: Type.Optional(
        Type.Boolean({
          description:
            'Whether all keys are removed at once, and what they signed counts no more: one may have leaked.',
        }),
      ),
    }),
  },
  output: signingKeysShown,
  refusals: ['body_unreadable'],
  async perform({ input: { body }, store, now }) {
    const { signingKeys } = store;
    const before = await tokenKeys(store);
    const signing = before.filter(({ retiredAt }) => retiredAt === undefined);
    for (const { kid } of signing) await signingKeys.retire(kid, now);
    if (body.drop) await signingKeys.removeRetired(Number.MAX_SAFE_INTEGER);
    const kind = body.drop ? 'signing-key-removed' : 'signing-key-retired';
    const events = (body.drop ? before : signing).map((key) => ({ kind, reason: keyName(key) }) as const);
    return changed(await tokenKeys(store), events);
  },
});
