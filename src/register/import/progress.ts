/** Receives the progress of an import while it runs. */
export interface ImportProgress {
  advance(bytes: number, rows: number): void
  say(step: string): void
}

export const silentProgress: ImportProgress = { advance: () => undefined, say: () => undefined }
