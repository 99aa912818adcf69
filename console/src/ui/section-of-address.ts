import { useEffect } from 'react'

/** Shows the section that the address names after its `#`, now and whenever a link to one of this screen is followed. */
export function useSectionOfAddress(): void {
  useEffect(() => {
    const show = () => document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
    show()
    // The router sends the first event, the browser the second.
    const events = ['pushState', 'hashchange']
    for (const event of events) window.addEventListener(event, show)
    return () => {
      for (const event of events) window.removeEventListener(event, show)
    }
  }, [])
}
