import { useState } from 'react'
import { useAccount } from '../../account.ts'

/** The last reviewer in this window, used again for the next review. */
let last: string | null = null

/** Returns the account's e-mail address until the person types a name. */
export function useReviewer() {
  const { data: account } = useAccount()
  const [typed, setTyped] = useState(last)
  const rename = (name: string) => {
    last = name
    setTyped(name)
  }
  return { name: typed ?? account?.email ?? '', rename }
}
