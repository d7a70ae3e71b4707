import type { AdapterPayload, ResponseType } from 'oidc-provider';
import { type Application, type Flow, USUAL_FLOWS } from './application.ts';

const GRANT_TYPES: Readonly<Record<Flow, string>> = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  client_credentials: 'client_credentials',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  implicit: 'implicit',
  password: 'password',
};

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** An application whose addresses are on the computer of its user (RFC 8252): its port there may be any. */
const isNative = (uris: readonly string[]) =>
  uris.length > 0 && uris.every((uri) => LOOPBACK.test(uri) || !/^https?:/.test(uri));

function authenticationOf({ secretDigest, settings }: Application) {
  if (settings.jwks !== undefined)
    return { token_endpoint_auth_method: 'private_key_jwt', jwks: settings.jwks } as const;
  if (secretDigest === undefined) return { token_endpoint_auth_method: 'none' } as const;
  // Not the secret, but what it is compared with: see `compareClientSecret`.
  const client_secret = Buffer.from(secretDigest).toString('hex');
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret } as const;
}

/** A registered application, as the library knows clients. */
export function clientMetadata(application: Application): AdapterPayload {
  const { name, settings } = application;
  const { redirectUris, flows = USUAL_FLOWS } = settings;
  const response_types: ResponseType[] = [];
  if (flows.includes('code')) response_types.push('code');
  if (flows.includes('implicit')) response_types.push('id_token', 'id_token token');
  return {
    client_id: name,
    client_name: settings.title ?? name,
    application_type: isNative(redirectUris) ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: settings.postLogoutRedirectUris ?? [],
    grant_types: flows.map((flow) => GRANT_TYPES[flow]),
    response_types,
    ...(settings.pairwise && { subject_type: 'pairwise' as const }),
    ...(settings.backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: settings.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    ...authenticationOf(application),
    application: settings,
  };
}
