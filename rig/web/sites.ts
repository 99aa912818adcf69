/** All sites of the simulated web, by the names that lead to them. */
import type { Site } from './site.ts'

export interface FoundSite {
  site: Site
  isWww: boolean
}

export class Sites {
  readonly #byHost: Map<string, Site>

  constructor(sites: Iterable<Site>) {
    this.#byHost = new Map(Array.from(sites, (site) => [site.host, site]))
  }

  find(name: string): FoundSite | null {
    const site = this.#byHost.get(name)
    if (site) return { site, isWww: false }
    const bare = name.startsWith('www.') ? this.#byHost.get(name.slice(4)) : undefined
    return bare && bare.settings.www !== 'none' ? { site: bare, isWww: true } : null
  }

  set(site: Site): void {
    this.#byHost.set(site.host, site)
  }

  delete(host: string): void {
    this.#byHost.delete(host)
  }
}
