/** One web site: its settings, its pages, and the addresses its name leads to. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { ContentCache } from './content.ts'
import { FolderPages, MemoryPages, type Pages } from './pages.ts'
import type { Receiver } from './receiver.ts'
import { ScriptedResponses } from './scripted-responses.ts'
import { parseSiteSettings, type SiteJson, type SiteSettings } from './site-settings.ts'

/** A site as a test writes it down: the keys of site.json, and what the folder would hold. */
export interface SimulatedSite extends SiteJson {
  /** By path: `/`, `/privacy`, `/robots.txt`. Text is stored in the site's encoding. */
  pages?: Record<string, string | Uint8Array>
  /** The name server returns these instead of the public address that follows from the name. */
  addresses?: readonly string[]
  /** Takes every POST, whatever its path and scheme. */
  receiver?: Receiver
}

export interface Site {
  host: string
  settings: SiteSettings
  scripted: ScriptedResponses
  pages: Pages
  addresses: readonly string[]
  receiver: Receiver | null
}

const CACHE_BYTES_MAX = 64 * 1024 * 1024

export function createSite(name: string, { pages = {}, addresses, receiver, ...json }: SimulatedSite): Site {
  const host = toHost(name)
  const settings = parseSiteSettings(host, json)
  return {
    host,
    settings,
    scripted: new ScriptedResponses(settings),
    pages: new MemoryPages(pages, settings.encoding),
    addresses: addresses ?? [publicAddress(host)],
    receiver: receiver ?? null,
  }
}

/** The sites of a world folder. Their settings are read now, so that a mistake shows at the start; pages when asked. */
export function loadSites(world: string): Site[] {
  const folder = join(world, 'sites')
  const cache = new ContentCache(CACHE_BYTES_MAX)
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => {
    const host = toHost(name)
    const settings = parseSiteSettings(host, readJson(join(folder, name, 'site.json')))
    return {
      host,
      settings,
      scripted: new ScriptedResponses(settings),
      pages: new FolderPages(join(folder, name), cache),
      addresses: [publicAddress(host)],
      receiver: null,
    }
  })
}

/** As names travel: lower case, punycode, without the dot of the root. */
export function toHost(name: string): string {
  return domainToASCII(name) || name.toLowerCase()
}

function readJson(file: string): unknown {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause })
  }
}

/** The same for the same host; all of 45.0.0.0/8 is ordinary, public space. */
function publicAddress(host: string): string {
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(host).digest()
  return `45.${first}.${second}.${1 + (third % 254)}`
}
