/** A mailbox that takes every e-mail over real SMTP and shows it: as values to tests, as a page to developers. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { html } from '../src/lib/text/html.ts'

export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  /** Names in lower case. */
  headers: Record<string, string>
  receivedAt: Date
}

const KEPT_MAX = 500

export class Mailbox {
  readonly #mails: ReceivedMail[] = []
  readonly #smtp: SMTPServer
  #page: Server | undefined
  #refusals = 0

  constructor() {
    this.#smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          this.#receive(Buffer.concat(chunks)).then(() => done(), done)
        })
      },
    })
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#smtp.once('error', reject)
      this.#smtp.listen(port, '127.0.0.1', resolve)
    })
    // A sender that dies in the middle of a message is no failure of the mailbox.
    this.#smtp.on('error', () => undefined)
    const address = this.#smtp.server.address() as AddressInfo
    return `smtp://127.0.0.1:${address.port}`
  }

  /** Serves the mails as a page that lists the newest first, and to programs as `/mails.json?to=…`, the newest last. */
  async listenPage(port: number): Promise<string> {
    const page = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const asJson = pathname === '/mails.json'
      response.setHeader('content-type', asJson ? 'application/json' : 'text/html; charset=utf-8')
      response.end(asJson ? JSON.stringify(this.mailsTo(searchParams.get('to') ?? '')) : this.#render())
    })
    await new Promise<void>((resolve) => page.listen(port, '127.0.0.1', resolve))
    this.#page = page
    return `http://localhost:${(page.address() as AddressInfo).port}`
  }

  allMails(): readonly ReceivedMail[] {
    return this.#mails
  }

  /** Newest last. */
  mailsTo(address: string): ReceivedMail[] {
    return this.#mails.filter((mail) => mail.to === address)
  }

  /** Refuses the next mails with 451, as a busy server does. */
  refuseNext(count: number): void {
    this.#refusals = count
  }

  async close(): Promise<void> {
    this.#page?.close()
    this.#page?.closeAllConnections()
    await new Promise<void>((resolve) => this.#smtp.close(() => resolve()))
  }

  async #receive(raw: Buffer): Promise<void> {
    if (this.#refusals > 0) {
      this.#refusals -= 1
      throw Object.assign(new Error('try again later'), { responseCode: 451 })
    }
    const mail = await PostalMime.parse(raw)
    this.#mails.push({
      to: mail.to?.[0]?.address ?? '',
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
      messageId: mail.messageId ?? '',
      headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
      receivedAt: new Date(),
    })
    if (this.#mails.length > KEPT_MAX) this.#mails.shift()
  }

  #render(): string {
    const link = /https?:\/\/\S+/
    const mails = this.#mails.toReversed().map((mail) => {
      const url = link.exec(mail.text)?.[0]
      return html`<article>
        <h2>${mail.subject}</h2>
        <p class="meta">to ${mail.to} · ${mail.receivedAt.toISOString()}</p>
        <pre>${mail.text}</pre>
        ${url && html`<p><a href="${url}">Follow its link</a></p>`}
      </article>`
    })
    const empty = html`<p>No mail yet. Sign up with any address and its verification link appears here.</p>`
    return html`<!doctype html>
      <meta charset="utf-8" /><meta http-equiv="refresh" content="3" /><title>Mailbox</title>
      <style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}article{border:1px solid #ccc;border-radius:8px;padding:1rem;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere}.meta{color:#666}h2{margin:0;font-size:1.1rem}</style>
      <h1>Mailbox</h1><p>Every e-mail the service sent, newest first. The page renews itself.</p>
      ${mails.length > 0 ? mails : empty}`.markup
  }
}
