/** Counts requests to the simulated web, for tests that check how gently the product treats a site. */

export class WebStats {
  /** Requests that arrived, answered or not. */
  requests = 0
  /** TCP connections, those without a request included. */
  connections = 0
  /** Requests by site: `www.` counts with its bare host. */
  readonly byHost = new Map<string, number>()
  /** The most requests that a site had under way at the same time. */
  readonly mostAtOnce = new Map<string, number>()
  readonly #underWay = new Map<string, number>()
  readonly #countsHosts: boolean

  /** Sites without number are not counted one by one. */
  constructor({ countsHosts = true }: { countsHosts?: boolean } = {}) {
    this.#countsHosts = countsHosts
  }

  begin(host: string): void {
    if (!this.#countsHosts) return
    const underWay = (this.#underWay.get(host) ?? 0) + 1
    this.#underWay.set(host, underWay)
    this.byHost.set(host, (this.byHost.get(host) ?? 0) + 1)
    this.mostAtOnce.set(host, Math.max(underWay, this.mostAtOnce.get(host) ?? 0))
  }

  /** Requests that a site has under way now. */
  underWayAt(host: string): number {
    return this.#underWay.get(host) ?? 0
  }

  end(host: string): void {
    if (!this.#countsHosts) return
    this.#underWay.set(host, (this.#underWay.get(host) ?? 1) - 1)
  }
}
