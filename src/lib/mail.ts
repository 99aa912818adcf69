import { createTransport } from 'nodemailer'

interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** Fixed for a message, so that one sent twice by a retry can be recognised as the same. */
  messageId: string
  headers?: Record<string, string>
}

/** The way out for e-mail: SMTP, pooled, TLS where the server offers it. */
export interface Mailer {
  send(message: Message): Promise<void>
  close(): void
}

const CONNECTIONS_MAX = 4
const TIMEOUT_MS = 15_000

export function createMailer(options: { smtpUrl: string | null; from: string }): Mailer {
  if (options.smtpUrl === null) return NO_MAILER
  const transport = createTransport(
    {
      url: options.smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    },
    { from: options.from },
  )
  return {
    async send(message) {
      await transport.sendMail(message)
    },
    close() {
      transport.close()
    },
  }
}

/** For a process that sends no e-mail: trying to is a mistake of ours. */
const NO_MAILER: Mailer = {
  async send() {
    throw new Error('this kind of process has no mail server')
  },
  close() {},
}
