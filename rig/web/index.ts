/**
 * The web, simulated over real sockets: the sites of a world with their names, certificates, pages and troubles.
 *
 * Every name leads to a public address, as in the real web, and every site is served from the two ports that
 * `settings` names. So its user must ask this name server, trust this authority, and dial loopback instead of the
 * address. A refused connection is one that ends before a byte is answered: the port is shared by all sites.
 *
 * It never reaches beyond loopback, and it answers the same request the same way until `setSite` changes the site. Only
 * a host with a `Receiver` has a memory: it takes deliveries, as its behaviour says, and keeps them.
 */
import { type Authority, createAuthority } from '../../src/lib/web/certificates.fixture.ts'
import { listenForNames } from './name-server.ts'
import { listenForHttp, listenForHttps } from './page-server.ts'
import { createSite, type DrawSite, loadSites, type SimulatedSite, type Site, Sites, toHost } from './site.ts'
import { WebStats } from './stats.ts'

export { type ReceivedRequest, Receiver, type ReceiverBehaviour } from './receiver.ts'
export type { SimulatedSite } from './site.ts'

export interface WebSettings {
  /** `127.0.0.1:port`, over UDP. */
  dnsServer: string
  /** On 127.0.0.1, in place of port 80 of every address. */
  httpPort: number
  /** On 127.0.0.1, in place of port 443 of every address. */
  httpsPort: number
  /** PEM. */
  certificateAuthority: string
}

export interface ListeningWeb extends AsyncDisposable {
  readonly settings: WebSettings
  readonly stats: WebStats
  /** Puts a site in the place of what the host was; null lets the name lapse. */
  setSite(host: string, site: SimulatedSite | null): void
  /** Ends every connection, answered or not. */
  close(): Promise<void>
}

export class SimulatedWeb {
  readonly #sites: Sites
  readonly #authority: Authority

  private constructor(sites: Site[], authority: Authority, draw: DrawSite | null = null) {
    this.#sites = new Sites(sites, draw)
    this.#authority = authority
  }

  /** The sites of a world folder. */
  static async fromWorld(folder: string): Promise<SimulatedWeb> {
    return new SimulatedWeb(loadSites(folder), await createAuthority())
  }

  /** Made-up sites, by host. */
  static async fromSites(sites: Record<string, SimulatedSite>): Promise<SimulatedWeb> {
    const created = Object.entries(sites).map(([host, site]) => createSite(host, site))
    return new SimulatedWeb(created, await createAuthority())
  }

  /** Sites without number, each made when it is asked for. */
  static async fromDraw(draw: DrawSite): Promise<SimulatedWeb> {
    return new SimulatedWeb([], await createAuthority(), draw)
  }

  async listen(ports: { dnsPort?: number; httpPort?: number; httpsPort?: number } = {}): Promise<ListeningWeb> {
    const sites = this.#sites
    const stats = new WebStats({ countsHosts: !sites.areDrawn })
    await using opened = new AsyncDisposableStack()
    const keep = <Server extends { close(): Promise<void> }>(server: Server): Server =>
      opened.adopt(server, (each) => each.close())
    const dns = keep(await listenForNames(sites, ports.dnsPort ?? 0))
    const http = keep(await listenForHttp({ sites, stats, port: ports.httpPort ?? 0 }))
    const https = keep(await listenForHttps({ sites, stats, port: ports.httpsPort ?? 0 }, this.#authority))
    const servers = opened.move()
    const close = () => servers.disposeAsync()
    return {
      settings: {
        dnsServer: `127.0.0.1:${dns.port}`,
        httpPort: http.port,
        httpsPort: https.port,
        certificateAuthority: this.#authority.certificate,
      },
      stats,
      setSite: (host, site) => (site ? sites.set(createSite(host, site)) : sites.delete(toHost(host))),
      close,
      [Symbol.asyncDispose]: close,
    }
  }
}
