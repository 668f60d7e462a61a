export declare function packagedChangelog(markdown: string, version: string): string;
