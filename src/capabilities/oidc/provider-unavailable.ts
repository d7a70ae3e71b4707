/** Thrown when an identity provider has to be asked and does not answer as it should. The message says why. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}
