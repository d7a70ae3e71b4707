import { V1_CALL } from '../../../../core/api.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { LANGUAGES } from '../../../../faces/pages/texts/texts.ts';
import { requestLink } from '../../rules/request-link.ts';

export const personPath = Type.Object({
  personId: Type.String({ description: 'The user name.', examples: ['alice'] }),
});

/** Specification, section 12: answered alike for every name, as the reference does, and without a mail server too. */
export default operation({
  id: 'org/service/repository/v1/requestpasswordreset.post',
  summary:
    'Send a user a link to choose a new password, if a mail server is set and the user has an address.',
  family: 'People',
  ...V1_CALL,
  method: 'POST',
  paths: ['/alfresco/versions/1/people/{personId}/request-password-reset'],
  authentication: 'none',
  access: 'write',
  refusesCrossSite: true,
  input: {
    path: personPath,
    body: Type.Object({
      client: Type.String({
        minLength: 1,
        refusal: 'body_invalid',
        description: 'The program that asks. Each gets a link to the page of this service.',
        examples: ['share'],
      }),
    }),
  },
  answers: 202,
  output: nothingShown,
  refusals: ['body_unreadable', 'body_invalid', 'cross_site_change'],
  prepare: ({ input: { path }, passwords }) => passwords.takeLinkRequest(path.personId),
  async perform({ input: { path }, prepared: isTaken, store, keyOf, languageAmong, now }) {
    const language = languageAmong(LANGUAGES) as string;
    const person = { text: path.personId, key: keyOf(path.personId) };
    const { events } = await requestLink(store, person, { isTaken, language, now });
    return answer(undefined, { changes: events });
  },
});
