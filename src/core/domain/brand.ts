/** What people see of the operator on pages and in mails. What is not set is empty. */
export interface Brand {
  readonly brandName: string;
  /** The text of the logo, an SVG. */
  readonly brandLogo: string;
  /** The colour of links and buttons, as #rrggbb. */
  readonly brandAccent: string;
  readonly brandHelpUrl: string;
  readonly brandImprintUrl: string;
  readonly brandPrivacyUrl: string;
}

/** A service without a brand of its own. */
export const NO_BRAND: Brand = {
  brandName: '',
  brandLogo: '',
  brandAccent: '',
  brandHelpUrl: '',
  brandImprintUrl: '',
  brandPrivacyUrl: '',
};

/** The name that people see. */
export const nameIn = ({ brandName }: Pick<Brand, 'brandName'>): string => brandName || 'Tessera';

/** How pages look in a browser. */
export interface PageLook {
  /** The name, logo, colour and links of the operator. */
  readonly brand: Brand;
  /** The value of a cookie of the portal with this name (`BrowserCookie`); undefined if there is none. */
  cookie(name: string): string | undefined;
}
