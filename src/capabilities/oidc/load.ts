import { faultOfCertificates, readNamedFile } from '../../core/documents/named-files.ts';
import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
  readDocument,
} from '../../core/documents/read-document.ts';
import { faultOfNewGroupName } from '../../core/domain/group.ts';
import { isLoopback } from '../../core/settings/combinations.ts';
import { ProvidersDocument, USUAL_ALGORITHMS, type WrittenProvider } from './document.ts';

/** Ids of what checks passwords here without being an identity provider. */
const TAKEN_IDS = ['ldap', 'local'];

/** An identity provider, as it is set. What the document leaves out has its default. */
export interface ProviderConfiguration
  extends Readonly<
    Required<Omit<WrittenProvider, 'clientSecretFile' | 'caFile' | 'claims' | 'groups' | 'algorithms'>>
  > {
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Certificates (PEM) to check the provider against, in place of the public ones. */
  readonly ca: string | undefined;
  readonly claims: Readonly<Required<NonNullable<WrittenProvider['claims']>>>;
  /** Undefined if groups here do not depend on the provider. */
  readonly groups: WrittenProvider['groups'];
  readonly algorithms: readonly string[];
}

function faultOfIssuer(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return 'is no URL: write the issuer as the provider names itself, with https://';
  const { protocol, hostname, search, hash, username } = new URL(issuer);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'is without https: others could answer in place of the provider';
  if (search !== '' || hash !== '' || username !== '' || /[?#@]/.test(issuer))
    return 'has a query, a fragment or a user name: write the issuer alone';
  if (issuer.includes('/.well-known/'))
    return 'is the address of the metadata: leave out /.well-known/ and what follows';
  return undefined;
}

/** Reads a file that the document names. Adds a fault if it cannot be read, or `check` finds one. */
type ReadNamed = (pointer: string, file: string, check: (text: string) => string | undefined) => string;

function faultOfSecret(text: string): string | undefined {
  return text.trim() === '' ? 'is empty: write the secret of the client into it' : undefined;
}

/** Tells the faults of a provider, beyond the schema. */
function checkProvider(
  provider: WrittenProvider,
  fault: (pointer: string, why: string | undefined) => void,
): void {
  const { id, issuer, groups, audiences = [], clientId } = provider;
  if (TAKEN_IDS.includes(id)) fault('/id', 'stands for something else here: choose another id');
  fault('/issuer', faultOfIssuer(issuer));
  for (const [at, scope] of (provider.scopes ?? []).entries())
    if (/[^\x21\x23-\x5b\x5d-\x7e]/.test(scope))
      fault(`/scopes/${at}`, 'is no scope: write one word of each');
  for (const [value, group] of Object.entries(groups?.names ?? {}))
    fault(`/groups/names/${value.replaceAll('~', '~0').replaceAll('/', '~1')}`, faultOfNewGroupName(group));
  if (groups?.prefix) fault('/groups/prefix', faultOfNewGroupName(`${groups.prefix}x`));
  for (const [at, audience] of audiences.entries())
    if (audience === clientId)
      fault(
        `/audiences/${at}`,
        'is the client id: ID tokens have it, so they would count as access tokens. Have the provider name another audience',
      );
}

function configurationOf(written: WrittenProvider, at: string, read: ReadNamed): ProviderConfiguration {
  const { clientSecretFile, caFile, scopes = ['profile', 'email'], claims, groups, ...members } = written;
  const secret = clientSecretFile && read(`${at}/clientSecretFile`, clientSecretFile, faultOfSecret);
  return {
    audiences: [],
    algorithms: USUAL_ALGORITHMS,
    signIn: true,
    addsUsers: true,
    takesLocalNames: false,
    askSecondFactor: false,
    signOut: false,
    deadline: 5_000,
    ...members,
    clientSecret: secret?.trim(),
    ca: caFile && read(`${at}/caFile`, caFile, faultOfCertificates),
    scopes: [...new Set(['openid', ...scopes])],
    claims: {
      name: 'preferred_username',
      email: 'email',
      firstName: 'given_name',
      lastName: 'family_name',
      subject: 'sub',
      ...claims,
    },
    groups,
  };
}

type ProvidersRead = ReadDocument<{ readonly providers: readonly WrittenProvider[] }>;

function checkAll({ value, faultAt }: ProvidersRead, faults: DocumentFault[]): void {
  const first = new Map<string, number>();
  for (const [index, provider] of value.providers.entries()) {
    const at = `/providers/${index}`;
    checkProvider(provider, (pointer, why) => {
      if (why !== undefined) faults.push(faultAt(at + pointer, why));
    });
    for (const member of ['id', 'issuer'] as const) {
      const key = `${member} ${provider[member]}`;
      const earlier = first.get(key);
      if (earlier !== undefined)
        faults.push(faultAt(`${at}/${member}`, `is that of provider ${earlier}: each has its own`));
      first.set(key, earlier ?? index + 1);
    }
  }
}

/** Reads the document of identity providers, and the files that it names. Throws {@link DocumentsFaulty} with every fault. */
export function loadProviders(file: string): readonly ProviderConfiguration[] {
  const document: ProvidersRead = readDocument(file, ProvidersDocument);
  const faults: DocumentFault[] = [];
  checkAll(document, faults);
  const read: ReadNamed = (pointer, named, check) => readNamedFile(document, pointer, named, check, faults);
  const providers = document.value.providers.map((written, index) =>
    configurationOf(written, `/providers/${index}`, read),
  );
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  return providers;
}
