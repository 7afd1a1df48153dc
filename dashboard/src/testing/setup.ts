import { configure } from "@testing-library/react";

// The milliseconds for which a test waits for what it expects. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 15_000 });

// Files share a document. Each one finds it empty, at the same address, and without what others stored.
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", "/");
