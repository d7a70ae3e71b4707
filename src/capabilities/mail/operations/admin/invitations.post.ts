import { refuse } from '../../../../core/domain/refusal.ts';
import { refusalOfOwnChange } from '../../../../core/domain/second-factor.ts';
import { adminOperation, changed } from '../../../../core/operation.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import { optionalTime } from '../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { LANGUAGES } from '../../../../faces/pages/texts/texts.ts';
import { profileMembers, roleMember } from '../../../people/representations/admin/user-body.ts';
import { unguessableHash } from '../../links.ts';
import { type Invitation, inviteUser, userToInvite } from '../../rules/invite.ts';

const invitationShown = {
  schema: Type.Object({
    userName: Type.String(),
    mailed: Type.Boolean({ description: 'Whether a mail with the link is on its way.' }),
    link: Type.Optional(
      Type.String({ description: 'The link to hand over, shown this once; missing if it is mailed.' }),
    ),
    expiresAt: optionalTime('When that link ends.'),
  }),
  json: ({ userName, link, expiresAt }) => ({
    userName,
    mailed: link === undefined,
    link,
    expiresAt: link === undefined ? undefined : new Date(expiresAt).toISOString(),
  }),
} satisfies Representation<Invitation>;

/** Specification, section 16: invite a user, who chooses the password. */
export default adminOperation({
  id: 'org/service/repository/admin/invitations.post',
  summary:
    'Invite a user to choose a password, by mail or by a link to hand over. A user that is not there is added.',
  method: 'POST',
  paths: ['/api/admin/invitations'],
  role: 'administrator',
  input: {
    body: Type.Object(
      {
        userName: Type.String({ description: 'The user name.', examples: ['dora'] }),
        language: Type.Optional(
          oneOf(LANGUAGES, {
            refusal: 'body_invalid',
            description: 'The language of the mail. Left out: that of TESSERA_MAIL_LANGUAGE.',
          }),
        ),
        role: roleMember('the role of a new user itself'),
        ...profileMembers,
      },
      { additionalProperties: false },
    ),
  },
  output: invitationShown,
  refusals: ['body_unreadable', 'body_invalid', 'password_elsewhere', 'proof_needed', 'hash_queue_full'],
  prepare: ({ passwords }) => unguessableHash(passwords),
  async perform(context) {
    const { input, prepared: passwordHash, store, keyOf, actor, asksSecondFactor, mailTools, now } = context;
    const { userName: name, role, language, ...profile } = input.body;
    const key = keyOf(name);
    const desired = { name, key, passwordHash, role, profile };
    const found = await userToInvite(store, desired, context.passwordPages);
    if ('refused' in found) return found;
    const unproved = refusalOfOwnChange(found.user, actor, asksSecondFactor);
    if (unproved !== undefined) return unproved;
    if (found.user.disabled)
      return refuse('body_invalid', { detail: `"${found.user.name}" is disabled: enable the user first` });
    const invitation = await inviteUser(store, found.user, { ...mailTools.invitations, language, now });
    const { events, ...value } = invitation;
    return changed(value, [...found.events, ...events]);
  },
});
