/** Cleans the name that a program gave itself before we show it: any program can register any name. */

const NAME_LENGTH_MAX = 80

/** Control and format characters, and those that are drawn as nothing or turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu
/** Characters that could seem to end the quotation around the name. */
const QUOTES = /["“”„‟«»‹›〝〞〟＂「」『』]/gu

/** Returns null when nothing is left that a person can read. */
export function cleanClientName(said: string | undefined): string | null {
  const plain = (said ?? '').normalize('NFC').replaceAll(UNSEEN, ' ').replaceAll(QUOTES, '’')
  const shortened = Array.from(plain.replaceAll(/\s+/gu, ' ').trim()).slice(0, NAME_LENGTH_MAX).join('').trim()
  return /[\p{L}\p{N}]/u.test(shortened) ? shortened : null
}

/** Returns the host of the document that describes the program, where its id is the address of one: it owns that host. */
export function documentHost(clientId: string): string | null {
  const url = URL.parse(clientId)
  return url?.protocol === 'https:' ? url.host : null
}
