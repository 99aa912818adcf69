import { Link } from 'wouter'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/parts.tsx'
import { EMAILS_HASH, listEmails, useLists } from '../../watching/lists.ts'

/** The lists that send e-mails, each with the way to its settings. */
export function EmailsOfLists() {
  const lists = useLists()
  return (
    <Card id="emails-of-lists" title="E-mails of lists" stacked>
      <Loaded query={lists} what="your lists">
        {({ data }) => {
          const sending = data.filter((list) => listEmails(list).length > 0)
          return sending.length > 0 ? (
            <ul className="list" aria-label="Lists that send e-mails">
              {sending.map((list) => (
                <li key={list.id}>
                  <Link href={toEmails(list.id)}>{list.name}</Link>: {listEmails(list).join(', ')}
                </li>
              ))}
            </ul>
          ) : (
            <p>
              No list sends e-mails of its own. <Link href={toEmails('default')}>Choose a list</Link> in your watchlist
              to turn on a daily or weekly digest, or e-mails within minutes of a signal.
            </p>
          )
        }}
      </Loaded>
    </Card>
  )
}

const toEmails = (id: string) => `/watchlist?list=${encodeURIComponent(id)}${EMAILS_HASH}`
