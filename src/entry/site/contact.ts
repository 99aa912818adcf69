import type { App } from '../../app.ts'

/** Returns the e-mail address of the operator: the sender of our e-mails. */
export function contactOf({ config: { mailFrom } }: Pick<App, 'config'>): string {
  return /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
}
