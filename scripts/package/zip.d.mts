export declare function zipOf(folder: string): Buffer;
