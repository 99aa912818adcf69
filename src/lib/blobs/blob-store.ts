/** A store for bytes that never change, under names. */
export interface BlobStore {
  /** Stores the bytes unless there are some under this name. Afterwards they outlive a crash of the machine. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Null where there are none. */
  find(name: string): Promise<Buffer | null>
  /** Does nothing where there are none. */
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** The store did not do it: it is away, refuses or is broken. Nothing is lost, and it may do it later. */
export class StoreFailure extends Error {
  constructor(act: string, cause: unknown) {
    super(`the store did not ${act}`, { cause })
    this.name = 'StoreFailure'
  }
}
