export declare function withOutsideLinks(markdown: string, version: string): string;
