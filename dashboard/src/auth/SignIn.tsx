import { useState } from "react";
import { Forgot } from "./Forgot";
import { Invite } from "./Invite";
import { LogIn } from "./LogIn";
import { Reset } from "./Reset";
import { SetUp } from "./SetUp";

/** Shows the sign-in page for the address. Immediately removes a token from the address, and so from the browser's history. */
export function SignIn() {
  const [{ page, token }] = useState(() => {
    const page = location.pathname.split("/")[2];
    const token = decodeURIComponent(location.hash.slice(1));
    if (token) history.replaceState(null, "", location.pathname + location.search);
    return { page, token };
  });
  const refused = token.startsWith("error=") ? token.slice("error=".length) : null;
  if (page === "setup") return <SetUp token={token} />;
  if (page === "invite") return <Invite token={token} />;
  if (page === "forgot") return <Forgot />;
  if (page === "reset") return <Reset token={token} />;
  return <LogIn refused={refused} />;
}
