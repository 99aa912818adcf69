import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import type { Server } from '../http/instance.ts'
import { contactOf } from './contact.ts'
import { sendPage } from './layout.ts'

/** The page our `User-Agent` points to: what a site owner needs to know about our visits, and how to refuse them. */
export function botRoutes(app: App, server: Server): void {
  const contact = contactOf(app)

  server.get('/bot', async (_request, reply) =>
    sendPage(reply, {
      title: 'NameplateBot',
      body: html`<article class="prose">
        <h1>NameplateBot</h1>
        <p>NameplateBot reads a few public pages of a web site when someone asks Nameplate which UK company is behind it. UK law has companies show their name, number and registered office on their sites; that is what it looks for.</p>
        <h2>What it reads</h2>
        <p>The home page, and from there the pages that may say who runs the site: legal notice, terms, privacy, about, contact. At most 10 pages in one visit, over at most 20 seconds, and it stops as soon as it has found what it came for. When a menu cannot be read, it looks at the sitemap and tries a few usual addresses such as <code>/privacy</code>. It runs no scripts, sends no forms, signs in nowhere, and reads no images or documents.</p>
        <h2>How fast</h2>
        <p>At most 2 requests a second to a host, after a first dozen, and 2 at the same time; all our machines share this limit. A <code>Crawl-delay</code> of up to 2 seconds is kept; for a longer one it reads fewer pages instead.</p>
        <h2>How to refuse it</h2>
        <p>It asks for <code>/robots.txt</code> before anything else and obeys it (RFC 9309). To keep it out of all pages:</p>
        <pre tabindex="0"><code>User-agent: NameplateBot
Disallow: /</code></pre>
        <p>A site that answers 401, 403 or 429, or shows a browser check, is left alone as well: we do not get round it, and we do not take it as a sign against the company.</p>
        <h2>Questions</h2>
        <p>Write to <a href="mailto:${contact}">${contact}</a> and name your site.</p></article>`,
    }),
  )
}
