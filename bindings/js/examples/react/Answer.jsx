// A component that shows an answer while it is written: <Answer url="/api/answer" />.
import { useEffect, useRef } from "react";

import { showAnswer } from "../stream.js";

export function Answer({ url }) {
    const element = useRef(null);
    useEffect(() => {
        const abort = new AbortController();
        const { signal } = abort;
        fetch(url, { signal })
            .then((response) => showAnswer(response, element.current, signal))
            .catch((error) => signal.aborted || console.error(error));
        return () => abort.abort();
    }, [url]);
    // React never touches what is in it, since it has no children of React's.
    return <article ref={element} aria-live="polite" />;
}
