import { Link } from "@tanstack/react-router";
import { strings } from "@/strings";
import { Page } from "@/ui/Page";

export function NotFound() {
  return (
    <Page title={strings.notFound.title} lead={strings.notFound.text}>
      <Link to="/projects" className="text-link underline underline-offset-2">
        {strings.notFound.back}
      </Link>
    </Page>
  );
}
