/** The privacy notice and the terms. An operator with pages of their own sets PRIVACY_URL and TERMS_URL instead. */
import type { App } from '../../app.ts'
import { type Html, html } from '../../lib/text/html.ts'
import type { Server } from '../http/instance.ts'
import { contactOf } from './contact.ts'
import { sendPage } from './layout.ts'

export function legalRoutes(app: App, server: Server): void {
  const { privacyUrl, termsUrl } = app.config
  server.get('/privacy', async (_request, reply) =>
    privacyUrl
      ? reply.redirect(privacyUrl, 302)
      : sendPage(reply, { title: 'Privacy notice', body: privacyNotice(contactOf(app)) }),
  )
  server.get('/terms', async (_request, reply) =>
    termsUrl ? reply.redirect(termsUrl, 302) : sendPage(reply, { title: 'Terms', body: terms(contactOf(app)) }),
  )
}

function privacyNotice(contact: string): Html {
  return html`<article class="prose">
    <h1>Privacy notice</h1>
    <p>This notice is about people: those who use Nameplate, and those whom web sites and the register name. The operator of this service is the controller. Write to <a href="mailto:${contact}">${contact}</a>.</p>
    <h2>If you have an account</h2>
    <p>We store your e-mail address, a hash of your password, the addresses you sign in from, your requests and what they cost, the companies you watch, and what you decide. We need it to provide the service you asked for (Article 6(1)(b) UK GDPR) and to keep it safe (Article 6(1)(f)). We send no advertising and use no analytics. Cookies sign you in and connect programs that you approve; your browser also keeps the theme and the language that you chose and, until you sign out, the domains that you asked for.</p>
    <h2>If you only visit</h2>
    <p>To limit requests we keep a count for the block of network addresses that you come from, for a short time (Article 6(1)(f)).</p>
    <h2>If a web site or the register names you</h2>
    <p>To find the company behind a domain we read up to ten public pages of its site and keep quotes that name a company. A quote can name a person. Companies House publishes officers and persons with significant control, and we show them as published. Our ground is a legitimate interest: customers must know whom they deal with (Article 6(1)(f)).</p>
    <p>If a customer asks and the operator allows it, we read from the register in which companies an officer is or was, and whether it has a disqualification of a person of the same name and birth month. We store nothing of that, and pass on neither nationality nor residence. <a href="/docs/data-protection#people-of-the-register">Data protection</a> has the details.</p>
    <h2>Who receives it</h2>
    <p>The customer who asked. If the operator has switched on a second reader, passages of the pages go to the provider of a language model; <a href="/docs/outcomes#who-decides">this page</a> says what and when, and an account can refuse it.</p>
    <h2>How long</h2>
    <p><a href="/docs/data-protection">Data protection</a> has the times, and <a href="/docs/stored-data">stored data</a> every column with what erases it.</p>
    <h2>Your rights</h2>
    <p>You can ask for a copy, a correction or erasure, object, and complain to the Information Commissioner’s Office (ico.org.uk). Owners of sites can keep our crawler out: see <a href="/bot">NameplateBot</a>.</p>
  </article>`
}

function terms(contact: string): Html {
  return html`<article class="prose">
    <h1>Terms</h1>
    <p>These are the terms of this service unless its operator has agreed others with you. Questions: <a href="mailto:${contact}">${contact}</a>.</p>
    <h2>What you get</h2>
    <p>Answers to which UK company is behind a web domain, with the evidence for them, and news of companies you watch. An answer is what the evidence supports on the day it was read. It is not legal advice, and no substitute for the checks that the law asks of you.</p>
    <h2>What you pay</h2>
    <p>One credit per match. <a href="/docs/charging">Charging</a> says what counts as a match and what is free. You can dispute a wrong match; the credit comes back as <a href="/docs/outcomes#dispute">described here</a>.</p>
    <h2>What you may not do</h2>
    <p>Share your keys, try to reach the data of others, go round the limits, or use the service to harm people.</p>
    <h2>Data of the register</h2>
    <p>Companies House publishes the register under the Open Government Licence v3.0. It can be late or wrong, and so can we: the answer says when it was read.</p>
    <h2>The end</h2>
    <p>You can leave at any time; <a href="/docs/data-protection">what happens with your data</a> is written down. The operator can end an account that breaks these terms.</p>
  </article>`
}
