/** How users sign in: the response of `/console/config.json`. */
export interface SignInConfig {
  issuer: string;
  /** URL, or a path of this origin. */
  authorizationEndpoint: string;
  /** URL, or a path of this origin. */
  tokenEndpoint: string;
  clientId: string;
  scopes: string[];
  /** Where the sign-in page may send users back to. */
  callbackUrls: string[];
  version: string;
  /** Cognito's way out. */
  logoutEndpoint?: string;
  revocationEndpoint?: string;
}

export async function loadConfig(): Promise<SignInConfig> {
  const response = await fetch('/console/config.json');
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  return (await response.json()) as SignInConfig;
}
