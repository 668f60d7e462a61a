export declare const CLIENT: string;
export declare const SCOPE: string;
export declare const REPOSITORY: string;
export declare const CLI: string;
export declare const CDK: string;
export declare const PACKAGES: { client: string; cli: string; cdk: string };
export declare function tarballOf(name: string, version: string): string;
