import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { AccountMenu } from "@/app/AccountMenu";
import { Page } from "@/ui/Page";
import { CodeForm } from "./CodeForm";
import { Decision, type Decided } from "./Decision";
import { strings } from "./strings";

/** The page to which `waft login` leads: a person compares what the terminal shows, and confirms or refuses its sign-in. */
export default function Terminal() {
  const [code, setCode] = useState(codeOfAddress);
  const [decided, setDecided] = useState<Decided | null>(null);
  useEffect(() => {
    const follow = () => {
      setCode(codeOfAddress());
      setDecided(null);
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return (
    <main id="content" tabIndex={-1} className="mx-auto max-w-xl outline-none">
      {decided ? (
        <Page
          title={decided.isConfirmed ? strings.confirmed : strings.refused}
          lead={decided.isConfirmed ? strings.confirmedLead(decided.machine) : strings.refusedLead}
        >
          <Link to="/projects" className="self-start text-link underline underline-offset-2">
            {strings.projects}
          </Link>
        </Page>
      ) : (
        <Page
          title={strings.title}
          lead={strings.lead}
          actions={
            <div className="max-w-48">
              <AccountMenu />
            </div>
          }
        >
          {code ? <Decision key={code} code={code} onDecided={setDecided} onOther={() => setCode("")} /> : <CodeForm onCode={setCode} />}
        </Page>
      )}
    </main>
  );
}

/** Returns the code behind # in the address, or "". */
function codeOfAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
