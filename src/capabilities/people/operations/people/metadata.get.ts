import { refuse } from '../../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../../core/domain/ticket.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { capabilitiesOf, type Person } from '../../representations/person.ts';
import { namedPerson, visiblePerson } from './person.get.ts';

const CONTENT_MODEL = '{http://www.alfresco.org/model/content/1.0}';

/** The properties of a person in the content model. What is not known is left out. */
function propertiesOf({ userName, profile }: Person): object {
  const { firstName, lastName, email, organization, jobTitle, telephone, mobile, location } = profile;
  const properties = {
    userName,
    firstName,
    lastName,
    email,
    organization,
    jobtitle: jobTitle,
    telephone,
    mobile,
    location,
    persondescription: profile.description,
  };
  const present = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [CONTENT_MODEL + name, value]));
}

const flag = Type.Boolean();

/** A user as Share and every other Surf application load it: JSON, sent as the format html. */
const metadataShown = {
  schema: Type.Object({
    code: Type.Literal('OK'),
    data: Type.Object({
      properties: Type.Record(Type.String(), Type.String()),
      capabilities: Type.Object({ isGuest: flag, isAdmin: flag, isMutable: flag }),
      immutableProperties: Type.Object({}),
    }),
  }),
  json: (person) => ({
    code: 'OK',
    data: {
      properties: propertiesOf(person),
      capabilities: capabilitiesOf(person),
      immutableProperties: {},
    },
  }),
  jsonAsHtml: true,
} satisfies Representation<Person>;

/** Specification, section 12: the properties of a user. Share refuses every log-in without this answer. */
export default operation({
  id: 'org/service/repository/people/metadata.get',
  summary: 'Show the properties of a user, as Share and other Surf applications ask for them.',
  lifecycle: 'public_api',
  family: 'People',
  method: 'GET',
  paths: ['/webframework/content/metadata'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'html',
  input: { query: Type.Object({ user: namedPerson }) },
  output: metadataShown,
  refusals: ['argument_invalid', 'person_not_found'],
  async perform({ input, ...context }) {
    const { user } = input.query;
    const found = await visiblePerson(user, context);
    return found ? answer(found.person) : refuse('person_not_found', { detail: maskedIfTicket(user) });
  },
});
