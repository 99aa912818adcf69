/**
 * The certificate library, loaded where it can start: its container asks for decorator metadata and refuses to load
 * where nobody keeps any. Nothing it builds has injected parameters, so remembering nothing is enough.
 */
const metadata = { getMetadata: () => undefined, getOwnMetadata: () => undefined, defineMetadata: () => undefined }

for (const [name, value] of Object.entries(metadata)) {
  if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value, configurable: true, writable: true })
}

export const x509 = await import('@peculiar/x509')
