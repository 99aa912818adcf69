import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld } from '../../../rig/world.ts'
import type { FixtureCompany } from '../../../src/resolver/register-view.fixture.ts'

/** Pages as sites have them, and the companies of the same worlds: what the mutations begin with. */
export interface SeedPages {
  pages: string[]
  companies: FixtureCompany[]
}

const WORLDS = ['demo', 'snares.tar.gz', 'market.tar.gz']
const PAGES_OF_A_WORLD_MAX = 250

export function readSeedPages(): SeedPages {
  const pages: string[] = []
  const companies: FixtureCompany[] = []
  for (const name of WORLDS) {
    using world = openWorld(join(import.meta.dirname, '../../../worlds', name))
    const sites = join(world.folder, 'sites')
    const files = readdirSync(sites, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
    const step = Math.max(1, Math.floor(files.length / PAGES_OF_A_WORLD_MAX))
    for (const [index, file] of files.toSorted().entries())
      if (index % step === 0) pages.push(readFileSync(join(sites, file), 'utf8'))
    const rows = readFileSync(join(world.folder, 'register.csv'), 'utf8').split('\n').slice(1)
    companies.push(...rows.flatMap(toCompany))
  }
  return { pages, companies }
}

/** Near enough: a name with a comma in it is left out. */
function toCompany(row: string): FixtureCompany[] {
  const [name = '', number = ''] = row.split(',').map((cell) => cell.replaceAll('"', '').trim())
  return /^[A-Z\d]{8}$/.test(number) ? [{ name, number }] : []
}
